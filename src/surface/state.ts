import type { Expecting, StateAsOf, StateChange, StateEntry, StateHistoryOptions, StateSnapshot } from '../api/state.ts'
import { aListOf } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { RequiredField, Shape } from '../shape/shape.ts'
import { aCount, aFlag, aJson, aMoment, aPosition, aText, aWholeNumber, anId, anIsoTime } from '../shape/values.ts'
import { noun } from './noun.ts'
import type { Operation } from './operation.ts'
import { SESSION } from './paths.ts'

const STATE = `${SESSION}/state`
const VALUE = `${STATE}/{key}`

const stateEntry: Shape<StateEntry> = anObject('StateEntry', {
  key: mustHave(aText, 'Its key'),
  value: mustHave(aJson, 'The value'),
  version: mustHave(aWholeNumber, 'The version of the state that set it'),
  at: mustHave(anIsoTime, 'When it was set'),
})

const stateChange: Shape<StateChange> = anObject('StateChange', {
  key: mustHave(aText, 'Its key'),
  value: mayHave(aJson, 'The value; missing if the change deleted it'),
  version: mustHave(aWholeNumber, 'The version of the state that the change made'),
  at: mustHave(anIsoTime, 'When it was changed'),
})

const stateSnapshot: Shape<StateSnapshot> = anObject('StateSnapshot', {
  version: mustHave(aWholeNumber, 'The version of the state'),
  entries: mustHave(aListOf(stateEntry), 'The values, sorted by key'),
})

const stateAsOf: Shape<StateAsOf> = anObject('StateAsOf', {
  asOf: mayHave(aMoment, 'As it was then: a time, or a version of the state'),
})

export const expecting: Shape<Expecting> = anObject('Expecting', {
  expected: mayHave(
    aWholeNumber,
    'Change it only if it still has this version; 0 if there must be no value',
    'whatever is there',
  ),
})

const stateHistoryOptions: Shape<StateHistoryOptions> = anObject('StateHistoryOptions', {
  limit: mayHave(aCount, 'At most this many changes', '100'),
  before: mayHave(aPosition, 'Only changes before this version: the last one of the page before'),
})

const key: RequiredField<string> = mustHave(anId, 'The key of the value')

/** What a deletion returns over HTTP. */
export const deleted: Shape<{ readonly deleted: boolean }> = anObject<{ readonly deleted: boolean }>(undefined, {
  deleted: mustHave(aFlag, 'Whether there was something to delete'),
})

type Name = 'snapshot' | 'entry' | 'set' | 'delete' | 'history'

export const stateOperations: Readonly<Record<Name, Operation>> = noun('state', {
  snapshot: {
    help: 'Read all values of the state at one version',
    attempt: 'read the state',
    call: 'state.snapshot',
    can: 'read',
    method: 'get',
    path: STATE,
    options: stateAsOf,
    answer: stateSnapshot,
    writes: false,
  },
  entry: {
    help: 'Read one value of the state with its version',
    attempt: 'read the state',
    call: 'state.entry',
    can: 'read',
    method: 'get',
    path: VALUE,
    takes: { key },
    options: stateAsOf,
    answer: stateEntry,
    missing: 'state/not-found',
    writes: false,
  },
  set: {
    help: 'Set a value of the state, if it still has the expected version',
    attempt: 'set a value of the state',
    call: 'state.set',
    can: 'write',
    method: 'put',
    path: VALUE,
    takes: { key, value: mustHave(aJson, 'The value, at most 1 MiB') },
    options: expecting,
    answer: stateEntry,
    writes: true,
  },
  delete: {
    help: 'Delete a value of the state. The history keeps it',
    attempt: 'delete a value of the state',
    call: 'state.delete',
    can: 'write',
    method: 'delete',
    path: VALUE,
    takes: { key },
    options: expecting,
    answer: deleted,
    as: 'deleted',
    writes: true,
  },
  history: {
    help: 'List the changes of a value, newest first',
    attempt: 'read the history of the state',
    call: 'state.history',
    can: 'read',
    method: 'get',
    path: `${VALUE}/history`,
    takes: { key },
    options: stateHistoryOptions,
    answer: anObject<{ readonly changes: readonly StateChange[] }>(undefined, {
      changes: mustHave(aListOf(stateChange), 'The changes, newest first'),
    }),
    as: 'changes',
    writes: false,
  },
})
