import type { AuditOptions, NewKeyOptions } from '../api/keys.ts'
import type { AuditEntry } from '../domain/audit.ts'
import { type Key, type NewKey, verbs } from '../domain/key.ts'
import { aListOf, either } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { FieldsOf, Shape } from '../shape/shape.ts'
import { aCount, aNull, aScope, aText, aTimeOrNumber, aWholeNumber, anId, anIsoTime, oneOf } from '../shape/values.ts'
import { noun } from './noun.ts'
import type { Operation } from './operation.ts'

const aVerb = oneOf(verbs)

const keyFields: FieldsOf<Key> = {
  id: mustHave(aText, 'Its id'),
  name: mustHave(aText, 'A name for people'),
  scope: mustHave(either([aText, aNull]), 'The scope it is for, with all scopes below; null for the whole memory'),
  can: mustHave(aListOf(aVerb), 'What the key may do'),
  createdAt: mustHave(anIsoTime, 'When it was made'),
  expiresAt: mustHave(either([anIsoTime, aNull]), 'When it stops working; null for never'),
  revokedAt: mustHave(either([anIsoTime, aNull]), 'When it was revoked; null if it was not'),
  lastUsedAt: mustHave(either([anIsoTime, aNull]), 'When it was last used, to the minute; null for never'),
}

const key: Shape<Key> = anObject('Key', keyFields)

const newKey: Shape<NewKey> = anObject('NewKey', {
  ...keyFields,
  token: mustHave(aText, 'The key itself. It is not stored and cannot be shown again'),
})

const newKeyOptions: Shape<NewKeyOptions> = anObject<NewKeyOptions>(
  'NewKeyOptions',
  {
    scope: mustHave(either([aScope, aNull]), 'The scope it is for, with all scopes below; null for the whole memory'),
    can: mustHave(aListOf(aVerb, { min: 1, wanted: `a list of ${verbs.join(', ')}` }), 'What the key may do'),
    name: mayHave(anId, 'A name for people', "'unnamed'"),
    expiresAt: mayHave(either([aTimeOrNumber, aNull]), 'When it stops working', 'never'),
  },
  { wanted: "an object such as { scope: 'acme/ada', can: ['read'] }" },
)

const auditOptions: Shape<AuditOptions> = anObject('AuditOptions', {
  limit: mayHave(aCount, 'At most this many entries, up to 1,000', '100'),
  before: mayHave(aCount, 'Only entries before this number: the last one of the page before'),
})

const auditEntry: Shape<AuditEntry> = anObject('AuditEntry', {
  number: mustHave(aWholeNumber, 'Its number in the trail'),
  at: mustHave(anIsoTime, 'When it was done'),
  key: mustHave(either([aText, aNull]), 'The id of the key; null if none was accepted'),
  action: mustHave(aText, 'The operation, for example `messages.append`'),
  scope: mustHave(either([aText, aNull]), 'The scope; null for the whole memory'),
  status: mustHave(aWholeNumber, 'The status of the response'),
  ids: mustHave(aListOf(aText), 'Ids of what it was done to'),
  digest: mustHave(either([aText, aNull]), 'A keyed digest of the request body; null if it had none'),
  chain: mustHave(aText, 'A hash over this entry and the one before'),
})

export const keyOperations: Readonly<Record<'list' | 'create' | 'revoke', Operation>> = noun('keys', {
  list: {
    help: 'List the keys, oldest first, without their tokens',
    attempt: 'list keys',
    call: 'keys.list',
    can: 'admin',
    method: 'get',
    path: '/v1/keys',
    answer: anObject<{ readonly keys: readonly Key[] }>(undefined, { keys: mustHave(aListOf(key), 'The keys') }),
    as: 'keys',
    writes: false,
  },
  create: {
    help: 'Make a key. Its token is in this response and nowhere else',
    attempt: 'make a key',
    call: 'keys.create',
    can: 'admin',
    method: 'post',
    path: '/v1/keys',
    options: newKeyOptions,
    answer: newKey,
    creates: true,
    writes: true,
    repeat: 'not-kept',
  },
  revoke: {
    help: 'Revoke a key. It stops working at once',
    attempt: 'revoke a key',
    call: 'keys.revoke',
    can: 'admin',
    method: 'delete',
    path: '/v1/keys/{id}',
    takes: { id: mustHave(anId, 'The id of the key') },
    answer: key,
    writes: true,
    repeat: 'harmless',
  },
})

export const auditOperations: Readonly<Record<'read', Operation>> = noun('audit', {
  read: {
    help: 'Read what was done through the server, newest first',
    attempt: 'read the audit trail',
    call: 'audit',
    can: 'admin',
    method: 'get',
    path: '/v1/audit',
    options: auditOptions,
    answer: anObject<{ readonly entries: readonly AuditEntry[] }>(undefined, {
      entries: mustHave(aListOf(auditEntry), 'The entries, newest first'),
    }),
    as: 'entries',
    writes: false,
  },
})
