// Reads a change stream of typed columns by npm's apache-arrow, one IPC stream after the other: typed.js URL TOKEN ROWS
// Prints tag h and field f of each row.
const {RecordBatchReader} = require('apache-arrow')

const [url, token, rows] = process.argv.slice(2)

async function main() {
  const answer = await fetch(url, {headers: {Accept: 'application/vnd.apache.arrow.stream', Authorization: 'Bearer ' + token}})
  if (answer.status !== 200) throw new Error(answer.status + ' ' + await answer.text())
  let found = 0
  for await (const reader of RecordBatchReader.readAll(answer.body)) {
    for await (const batch of reader) {
      for (const row of batch) {
        found++
        console.log(`row ${row['tag.h']} ${row['field.f']}`)
      }
      if (found >= Number(rows)) process.exit(0)
    }
  }
  throw new Error(`ended after ${found} of ${rows}`)
}

main().catch(error => { console.error(error); process.exit(1) })
