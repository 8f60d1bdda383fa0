// Opens the memory that a program compares with a host: a file, PostgreSQL, or a server through its client (`served`).
import { openMemory } from 'daybook'
import { serve } from 'daybook/server'

const [, , location = ':memory:', given = '100', options = '{}'] = process.argv

/** How many random sequences to compare. */
export const runs = Number(given)

const stored = await openMemory(location === 'served' ? ':memory:' : location, { learn: false, ...JSON.parse(options) })
const server = location === 'served' ? await serve(stored, { port: 0, keyFile: 'admin.key' }) : undefined

export const memory = server === undefined ? stored : await openMemory(server.link)

export async function close() {
  if (server !== undefined) {
    await memory.close()
    await server.close()
  }
  await stored.close()
}
