// Reads a change stream of record batches by npm's apache-arrow: read.js URL TOKEN ROWS
// Prints a line for each row, then the cursor after them; checks that every batch says where it lies.
const {RecordBatchReader, compressionRegistry, CompressionType} = require('apache-arrow')
const fzstd = require('fzstd')

compressionRegistry.set(CompressionType.ZSTD, {decode: bytes => fzstd.decompress(bytes).slice()})
const [url, token, rows] = process.argv.slice(2)

async function main() {
  const answer = await fetch(url, {headers: {Accept: 'application/vnd.apache.arrow.stream', Authorization: 'Bearer ' + token}})
  if (answer.status !== 200) throw new Error(answer.status + ' ' + await answer.text())
  const reader = await RecordBatchReader.from(answer.body)
  await reader.open()
  console.log('schema ' + reader.schema.fields.map(field => `${field.name}:${field.type}${field.nullable ? '?' : ''}`).join(' '))
  let found = 0
  let cursor = null
  for await (const batch of reader) {
    cursor = batch.metadata.get('weir.cursor')
    if (!cursor) throw new Error('a batch without a cursor')
    for (const row of batch) {
      found++
      console.log('row ' + JSON.stringify(row.toJSON(), (key, value) => typeof value === 'bigint' ? value.toString() : value))
    }
    if (found >= Number(rows)) break
  }
  if (found < Number(rows)) throw new Error(`ended after ${found} of ${rows}`)
  console.log('cursor ' + cursor)
  process.exit(0)
}

main().catch(error => { console.error(error); process.exit(1) })
