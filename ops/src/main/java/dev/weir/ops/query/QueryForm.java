package dev.weir.ops.query;

/** How an answer is shown. */
enum QueryForm {
    table("application/json"),
    json("application/json"),
    csv("text/csv"),
    ndjson("application/x-ndjson"),
    chart("application/json");

    private final String accept;

    QueryForm(String accept) {
        this.accept = accept;
    }

    String accept() {
        return accept;
    }
}
