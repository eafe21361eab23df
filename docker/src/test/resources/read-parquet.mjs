// Prints each row of the given data files as a line of JSON: time in nanoseconds, seq, hash of the series, the values of the table's columns by id.
// A double is its 64 bits in hex, any other value its text, so that nothing is rounded on the way.
import {asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'

const parsers = {timestampFromMicroseconds: micros => micros}

function bits(number) {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, number)
  return Number.isNaN(number) ? '7ff8000000000000' : view.getBigUint64(0).toString(16).padStart(16, '0')
}

for (const path of process.argv.slice(2)) {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const columns = JSON.parse(metadata.key_value_metadata.find(each => each.key === 'weir.columns').value)
  for (const row of await parquetReadObjects({file, metadata, compressors, parsers})) {
    const values = columns.map(({column, type}) => {
      const value = row[column]
      if (value === null || value === undefined) {
        return null
      }
      return type === 'float64' ? bits(value) : String(value)
    })
    console.log(JSON.stringify([String(row.time * 1000n + BigInt(row._time_ns)), String(row._seq), String(row._series_hash), ...values]))
  }
}
