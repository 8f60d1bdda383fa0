import type { Operation } from '../surface/operation.ts'
import { type RemotePlace, callRemote } from './call-remote.ts'
import type { Transport } from './transport.ts'

/** The methods of an interface that make one call. */
type CallName<Handle> = {
  [Name in keyof Handle]: Handle[Name] extends (...given: never) => Promise<unknown> ? Name : never
}[keyof Handle]

/** Makes methods from the descriptions of their operations, by the names that the interface has for them. */
export type MakeMethods<Handle> = <Name extends CallName<Handle>>(
  operations: Readonly<Record<Name, Operation>>,
) => Pick<Handle, Name>

/** Methods of a handle behind a server. A name that the interface does not have does not compile. */
export function remoteHandle<Handle>(transport: Transport, place: RemotePlace): MakeMethods<Handle> {
  return (operations) => {
    const methods = Object.entries<Operation>(operations).map(([name, operation]) => [
      name,
      (...given: readonly unknown[]) => callRemote(transport, operation, place, given),
    ])
    return Object.fromEntries(methods) as Pick<Handle, keyof typeof operations>
  }
}
