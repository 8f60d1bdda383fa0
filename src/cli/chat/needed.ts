import { CommandError } from '../exit-status.ts'

/** Loads a package that only chatting needs, and that its users install themselves. */
export async function needed<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const packages = name === 'ai' ? 'ai' : `ai ${name}`
    throw new CommandError(
      'failed',
      `Cannot chat: the package ${name} is not installed, expected: npm install ${packages}`,
    )
  }
}
