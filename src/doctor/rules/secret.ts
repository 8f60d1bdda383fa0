import type { JSONValue } from '../../domain/json.ts'
import { field } from '../../dialects/canonical/json.ts'
import { type Edit, type Node, pathOf, textNodesOf } from '../tree.ts'
import { findCertainSecrets, maskSecrets } from './find-secrets.ts'
import type { DoctorProblem } from './problem.ts'
import type { Specimen } from '../specimen.ts'

/** What a provider made and only it reads: chance alone would find a key in it. */
const OPAQUE: ReadonlySet<string | number> = new Set([
  'signature',
  'thoughtSignature',
  'thought_signature',
  'encrypted_content',
  'reasoningEncryptedContent',
  'redactedData',
  'base64',
])
const REASONING: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking', 'reasoning'])

/**
 * Keys, tokens and passwords that somebody pasted or a tool printed. A transcript is shown, shared, embedded and sent to
 * providers: what is in it is out. A finding names kind and place, never the secret.
 */
export function* secret({ value }: Specimen): Generator<DoctorProblem> {
  for (const node of textNodesOf(value)) {
    if (OPAQUE.has(node.key)) continue
    const found = findCertainSecrets(node.value, String(node.key))
    if (found.length === 0) continue
    const path = pathOf(node)
    const edit = cure(node, maskSecrets(node.value, found))
    for (const { kind, from, to, mark } of found)
      yield {
        rule: 'secret',
        topic: 'secret',
        severity: 'error',
        path,
        message: `Found a secret: ${kind} of ${to - from} characters${mark === undefined ? '' : ` (SHA-256 ${mark}…)`}, expected none; revoke it`,
        fix:
          edit.value === undefined
            ? 'Removes the reasoning that contains it'
            : `Writes "[removed: ${kind}]" in its place`,
        edits: [edit],
      } satisfies DoctorProblem
  }
}

/** Signed reasoning cannot be changed, only left out: its provider would reject it. */
function cure(node: Node, masked: string): Edit {
  let signed: Node | undefined
  for (let at: Node | undefined = node.parent; at !== undefined; at = at.parent)
    if (isReasoning(at.value) && Array.isArray(at.parent?.value)) signed = at
  return signed === undefined ? { path: pathOf(node), value: masked } : { path: pathOf(signed) }
}

function isReasoning(value: JSONValue): boolean {
  return REASONING.has(field(value, 'type')) || field(value, 'thought') === true
}

/** The file as it may be shown: without its secrets, everything in its place. */
export function secretEdits(value: JSONValue): readonly Edit[] {
  const edits: Edit[] = []
  for (const node of textNodesOf(value)) {
    if (OPAQUE.has(node.key)) continue
    const found = findCertainSecrets(node.value, String(node.key))
    if (found.length > 0) edits.push({ path: pathOf(node), value: maskSecrets(node.value, found) })
  }
  return edits
}
