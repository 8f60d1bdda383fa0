import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import type { SampleFound } from '../../api/upkeep.ts'
import type { SamplePattern } from '../../ports/erasure-store.ts'
import { ByteSearch } from './byte-search.ts'

// Run as a process: gets the files and patterns on its standard input, answers on its standard output.

const PIECE_BYTES = 8 * 1024 * 1024
const FOUND_MAX = 1_000

interface Question {
  readonly files: readonly string[]
  readonly patterns: readonly (Omit<SamplePattern, 'bytes'> & { readonly bytes: string })[]
}

const { files, patterns } = JSON.parse(readFileSync(0, 'utf8')) as Question
const search = new ByteSearch(patterns.map((pattern) => ({ ...pattern, bytes: Buffer.from(pattern.bytes, 'base64') })))
const found: SampleFound[] = []
for (const file of files) searchFile(file)
writeSync(1, JSON.stringify(found.slice(0, FOUND_MAX)))

function searchFile(file: string): void {
  let handle: number
  try {
    handle = openSync(file, 'r')
  } catch {
    return // a write-ahead log that is not there has nothing in it
  }
  const piece = Buffer.alloc(PIECE_BYTES + search.longest)
  for (let offset = 0; found.length < FOUND_MAX; offset += PIECE_BYTES) {
    const length = readSync(handle, piece, 0, piece.length, offset)
    for (const { pattern, at } of search.in(piece.subarray(0, length)))
      if (at < PIECE_BYTES)
        found.push({ sample: pattern.sample, form: pattern.form, where: `${file} at ${offset + at}` })
    if (length < piece.length) break
  }
  closeSync(handle)
}
