/** Which checkpoint, and of which thread and namespace. */
export interface CheckpointPlace {
  readonly thread: string
  readonly namespace: string
}

/** Before the number of a write, so that special writes, which have negative numbers, come first and all have the same width. */
const WRITES_OFFSET = 1_000
const WRITE_DIGITS = 9

/** The keys of what a saver stores. A name is encoded, so that none contains a slash or a control character. */
export const checkpointKeys: {
  readonly checkpoints: (place?: Partial<CheckpointPlace>) => string
  readonly checkpoint: (place: CheckpointPlace, id: string) => string
  readonly value: (place: CheckpointPlace, channel: string, version: number | string) => string
  readonly writes: (place: CheckpointPlace, id: string) => string
  readonly write: (place: CheckpointPlace, id: string, task: string, index: number) => string
  /** What all keys of a thread begin with. */
  readonly ofThread: (thread: string) => readonly string[]
  readonly read: (key: string) => CheckpointPlace & { readonly id: string }
} = {
  checkpoints: ({ thread, namespace } = {}) =>
    ['c', ...[thread, namespace].filter((name) => name !== undefined).map(encodeURIComponent), ''].join('/'),
  checkpoint: (place, id) => key('c', place, id),
  value: (place, channel, version) => key('v', place, channel, String(version)),
  writes: (place, id) => `${key('w', place, id)}/`,
  write: (place, id, task, index) =>
    key('w', place, id, task, String(index + WRITES_OFFSET).padStart(WRITE_DIGITS, '0')),
  ofThread: (thread) => ['c', 'v', 'w'].map((kind) => `${kind}/${encodeURIComponent(thread)}/`),
  read: (text) => {
    const [, thread = '', namespace = '', id = ''] = text.split('/').map(decodeURIComponent)
    return { thread, namespace, id }
  },
}

function key(kind: string, { thread, namespace }: CheckpointPlace, ...names: readonly string[]): string {
  return [kind, ...[thread, namespace, ...names].map(encodeURIComponent)].join('/')
}
