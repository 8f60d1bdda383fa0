import type { Memory } from '../../api/memory.ts'
import type { Scope } from '../../api/scope.ts'
import { refuse } from '../../domain/refuse.ts'
import { anObject, mayHave } from '../../shape/object.ts'
import type { Shape } from '../../shape/shape.ts'
import { aScope } from '../../shape/values.ts'

/** Where the users of an application are kept. */
export interface AdkMemoryOptions {
  /** The scope above all users. A user has the scope `<below>/<app>/<user>`. @default 'adk' */
  readonly below?: string
}

const OPTIONS: Shape<AdkMemoryOptions> = anObject<AdkMemoryOptions>(undefined, {
  below: mayHave(aScope, 'The scope above all users', 'adk'),
})

/** @throws {MemoryError} `input/invalid` if it is not a memory, or an option is wrong. */
export function checkAdkMemory(attempt: string, memory: Pick<Memory, 'scope'>, options: AdkMemoryOptions): void {
  if (typeof (memory as Memory | undefined)?.scope !== 'function')
    refuse(attempt, 'memory', memory, "a memory, for example await openMemory('agent.db')")
  OPTIONS.check(attempt, '', options)
}

/** The scope of one user. Names are encoded, so that none is part of another one's path. */
export function userScope(
  memory: Pick<Memory, 'scope'>,
  below: string,
  { appName, userId }: { readonly appName: string; readonly userId: string },
): Scope {
  return memory.scope([below, encoded(appName), encoded(userId)].join('/'))
}

function encoded(name: string): string {
  return encodeURIComponent(name).replace(/^\.+$/, (dots) => dots.replaceAll('.', '%2E'))
}
