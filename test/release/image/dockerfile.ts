/** An instruction of a Dockerfile, such as `COPY` with its flags and words. */
export type Instruction = { name: string; flags: Record<string, string>; text: string }

/** A stage: `from` is its base image, and `name` is how later stages refer to it. */
export type Stage = { from: string; name: string | null; instructions: readonly Instruction[] }

/** Reads the part of the language that our Dockerfile uses: one line for each instruction, no escapes. */
export function readDockerfile(text: string): Stage[] {
  const stages: { from: string; name: string | null; instructions: Instruction[] }[] = []
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#') || line.startsWith('ARG ')) continue
    const [, name = '', flags = '', rest = ''] = /^([A-Z]+) ((?:--\S+ )*)(.*)$/.exec(line) ?? []
    if (name === '') throw new Error(`This line of the Dockerfile cannot be read: ${line}`)
    if (name === 'FROM') {
      const [from = '', , stage = null] = rest.split(' ')
      stages.push({ from, name: stage, instructions: [] })
    } else {
      stages.at(-1)?.instructions.push({ name, flags: readFlags(flags), text: rest })
    }
  }
  return stages
}

function readFlags(text: string): Record<string, string> {
  return Object.fromEntries(Array.from(text.matchAll(/--([\w-]+)=(\S+)/g), ([, name, value]) => [name, value]))
}

/** The words of an instruction: a JSON list, or separated by spaces. */
export function wordsOf({ text }: Instruction): string[] {
  return text.startsWith('[') ? JSON.parse(text) : text.split(' ')
}
