// oxlint-disable-next-line import/default -- the build gives the address of the worker's own file
import workerAddress from './graph-worker.ts?worker&url'

interface ScriptAddresses {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): string }
}

/** Starts the worker that lays out and draws graphs. The only script that the page starts from an address, so its policy allows no other. */
export function startGraph(): Worker {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: ScriptAddresses }
  const policy = made.policy ?? trustedTypes?.createPolicy('daybook-worker', { createScriptURL: () => workerAddress })
  if (policy !== undefined) made.policy = policy
  return new Worker(policy?.createScriptURL('') ?? workerAddress, { type: 'module' })
}

/** A policy can be made once. */
const made: { policy?: ReturnType<ScriptAddresses['createPolicy']> } = {}
