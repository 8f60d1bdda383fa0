/** What a tool is called that changes something: its calls are told in detail, because they cannot be looked up by reading again. */
const WRITING: ReadonlySet<string> = new Set([
  'add',
  'append',
  'apply',
  'bash',
  'book',
  'cancel',
  'commit',
  'copy',
  'create',
  'delete',
  'deploy',
  'edit',
  'exec',
  'execute',
  'insert',
  'install',
  'kill',
  'merge',
  'mkdir',
  'move',
  'patch',
  'post',
  'publish',
  'push',
  'put',
  'remove',
  'rename',
  'replace',
  'restart',
  'rm',
  'run',
  'save',
  'send',
  'set',
  'shell',
  'start',
  'stop',
  'store',
  'submit',
  'transfer',
  'update',
  'upload',
  'upsert',
  'write',
])

/** Whether a tool's name has a word for changing something: `write_file`, `sendMail`, `db.insert`. */
export function isWriteTool(name: string): boolean {
  return name
    .slice(0, 128)
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
    .some((word) => WRITING.has(word.toLowerCase()))
}
