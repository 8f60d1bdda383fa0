import { defined } from '../domain/defined.ts'
import type { Component, Components, SessionState } from '../api/state.ts'
import { isPlainObject } from '../domain/check-json.ts'
import { MemoryError } from '../domain/error.ts'
import type { JSONObject, JSONValue } from '../domain/json.ts'
import { quote, refuse } from '../domain/refuse.ts'
import { isSection } from './sections.ts'

/** What components need of a session's state. */
type Shelf = Pick<SessionState, 'entry' | 'set' | 'delete'>

type Named = Readonly<Record<string, Component>>

export function keepComponents(shelf: Shelf, parts: Named): Components {
  const attempt = 'keep components'
  if (!isPlainObject(parts) || Object.keys(parts).length === 0)
    refuse(attempt, 'components', parts, 'an object with at least one component')
  for (const [name, part] of Object.entries(parts))
    if (typeof part?.save !== 'function' || typeof part.prepare !== 'function')
      refuse(attempt, `components.${name}`, part, 'an object with save() and prepare(value)')
  const save = (): JSONObject => Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.save()]))
  return {
    saveTo: async (key) => {
      checkFree(key)
      await shelf.set(key, save())
    },
    saveIfExists: async (key) => {
      checkFree(key)
      for (;;) {
        const entry = await shelf.entry(key)
        if (entry === undefined) return false
        try {
          await shelf.set(key, save(), { expected: entry.version })
          return true
        } catch (error) {
          // Changed or deleted meanwhile: read again, since what was deleted must stay deleted.
          if (!MemoryError.is(error, 'state/conflict')) throw error
        }
      }
    },
    loadIfExists: async (key) => {
      const entry = await shelf.entry(key)
      if (entry === undefined) return false
      swap(parts, stored(key, entry.value))
      return true
    },
    loadOrThrow: async (key) => {
      const entry = await shelf.entry(key)
      if (entry === undefined) throw missing(key)
      const values = stored(key, entry.value)
      for (const name of Object.keys(parts)) if (!Object.hasOwn(values, name)) throw missing(key, name)
      swap(parts, values)
    },
    delete: async (key) => {
      checkFree(key)
      return shelf.delete(key)
    },
  }
}

/** Components must not overwrite sections of the session's document. */
function checkFree(key: string): void {
  if (isSection(key)) refuse('keep components', 'key', key, 'a key that is no section of the document')
}

function stored(key: string, value: JSONValue): JSONObject {
  if (isPlainObject(value)) return value as JSONObject
  return refuse('load components', key, value, 'what saveTo stored: an object with a value for each component')
}

/** Checks all components before it changes one. If one fails all the same, it and those before it are set back. */
function swap(parts: Named, values: JSONObject): void {
  const found = Object.entries(parts).filter(([name]) => Object.hasOwn(values, name))
  const ready = found.map(([name, part]) => ({
    part,
    before: part.save(),
    put: part.prepare(structuredClone(values[name] ?? null) as JSONValue),
  }))
  for (const [index, { put }] of ready.entries()) {
    try {
      put()
    } catch (error) {
      for (const { part, before } of ready.slice(0, index + 1)) part.prepare(before)()
      throw error
    }
  }
}

function missing(key: string, name?: string): MemoryError {
  const what = name === undefined ? 'nothing is stored there' : `nothing is stored there for ${quote(name)}`
  return new MemoryError('state/not-found', `Cannot load components from ${quote(key)}: ${what}`, {
    key,
    ...defined({ component: name }),
  })
}
