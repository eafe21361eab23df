"""collectd's Python plugin as people use it to write line protocol over HTTP: values are gathered, and sent once an interval."""
import math
import threading
import urllib.request

import collectd

settings = {}
lines = []
lock = threading.Lock()


def configure(config):
    for child in config.children:
        settings[child.key] = child.values[0]


def escape(name):
    return name.replace(",", "\\,").replace("=", "\\=").replace(" ", "\\ ")


def take(values):
    names = [source[0] for source in collectd.get_dataset(values.type)]
    fields = ["%s=%r" % (name, float(value)) for name, value in zip(names, values.values) if not math.isnan(value)]
    if not fields:
        return
    tags = [("host", values.host), ("instance", values.plugin_instance), ("type", values.type), ("type_instance", values.type_instance)]
    series = escape(values.plugin) + "".join(",%s=%s" % (key, escape(value)) for key, value in tags if value)
    with lock:
        lines.append("%s %s %d" % (series, ",".join(fields), round(values.time * 1000)))


def send():
    with lock:
        batch = list(lines)
    if not batch:
        return
    request = urllib.request.Request(
        settings["URL"] + "/api/v2/write?precision=ms",
        data="\n".join(batch).encode(),
        headers={"Authorization": "Token " + settings["Token"]},
    )
    with urllib.request.urlopen(request, timeout=20):
        with lock:
            del lines[: len(batch)]


collectd.register_config(configure)
collectd.register_write(take)
collectd.register_read(send)
