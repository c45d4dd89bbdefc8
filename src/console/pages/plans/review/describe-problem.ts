import { toAdvice } from '../../../components/form/advice.ts'
import type { Preview } from './use-previews.ts'

/** The reason why the server would refuse a value, as advice: "greeting: Use at most 4,096 characters." */
export function describeProblem({ path, message }: Preview['problems'][number]): string {
  const start = `${path} `
  if (!message.startsWith(start)) return toAdvice(message, { path, value: undefined })
  const rest = message.slice(start.length)
  const advice = toAdvice(rest.charAt(0).toUpperCase() + rest.slice(1), { path, value: undefined })
  return `${path.split('.')[1]}: ${advice}`
}
