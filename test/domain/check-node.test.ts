import { expect, it } from 'vitest'
import { checkNode } from '../../src/domain/check-node.ts'

it.each(['18.20.8', '20.20.2', '21.7.3', '22.13.1', '22.9.0'])('[anywhere-3] Node %s is refused', (version) => {
  expect(() => checkNode(version)).toThrow(`Cannot run on Node ${version}: expected Node 22.14 or later`)
})

it.each(['22.14.0', '22.22.1', '23.0.0', '24.11.0', '26.9.0'])('[anywhere-3] Node %s is taken', (version) => {
  expect(() => checkNode(version)).not.toThrow()
})
