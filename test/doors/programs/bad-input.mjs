// Gives an adapter what it should not get, and compares the outcome with the table of docs/hosts.md:
// `node bad-input.mjs agent.db '{"unpaired":"stored"}'`. With `served` as the location, through a server and its client.
import { deepStrictEqual } from 'node:assert/strict'
import { open } from './bad.mjs'
import { close, memory } from './opened.mjs'

const expected = JSON.parse(process.env.EXPECTED)
const outcomes = {}
for (const name of Object.keys(expected)) {
  const host = open(memory, `acme/${name}`)
  try {
    outcomes[name] = await host[name]()
  } catch (error) {
    outcomes[name] = error.code ?? 'refused by the host'
  }
  // Nobody sees what is in another scope.
  deepStrictEqual(await open(memory, 'acme/other').read(), [], name)
}
await close()
deepStrictEqual(outcomes, expected)
console.log(`${Object.keys(expected).length} kinds of bad input`)
