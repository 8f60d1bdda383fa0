import { closeSync, openSync, readSync, readdirSync } from 'node:fs'

const MAGIC = 'SQLite format 3\0'
/** Where the header of an SQLite file names the program that it belongs to, and our name there. */
const OWNER_AT = 68
const OWNER = 'DBok'
const FILES_MAX = 200

/** The memories in a folder, by name. An encrypted file is not recognised: nothing in it says what it is. */
export function memoriesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.(?:db|sqlite3?)$/i.test(name))
      .slice(0, FILES_MAX)
      .filter((name) => isMemory(`${folder}/${name}`))
  } catch {
    return []
  }
}

function isMemory(file: string): boolean {
  const header = Buffer.alloc(OWNER_AT + OWNER.length)
  try {
    const opened = openSync(file, 'r')
    try {
      readSync(opened, header, 0, header.length, 0)
    } finally {
      closeSync(opened)
    }
  } catch {
    return false
  }
  return header.toString('latin1', 0, MAGIC.length) === MAGIC && header.toString('latin1', OWNER_AT) === OWNER
}
