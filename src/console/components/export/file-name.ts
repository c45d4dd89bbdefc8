/** "story-Acme-Inc-cus_1001-2026-11-27": the parts, such as a name and an id, and the day, without an extension. */
export function exportFileName(parts: readonly (string | null)[], now: Date): string {
  return [...parts, now.toISOString().slice(0, 10)]
    .map((part) =>
      (part ?? '')
        .replace(/[^\p{L}\p{N}_.]+/gu, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 60),
    )
    .filter((part) => part !== '')
    .join('-')
}
