import ts from 'typescript'

/*
 * Checks the files of each program, and what they use of the client, as `tsc` does; tsc would also check the declarations of all
 * other packages, which takes most of its time. The programs are `{ files, options }`, options as in a tsconfig.json.
 */

const isChecked = ({ fileName }) => !/\/node_modules\/(?!entitlements-client\/)/.test(fileName)
/** Declarations do not change from one program to the next, and reading them takes a second. */
const declarations = new Map()
let isWrong = false

for (const { files, options: written } of JSON.parse(process.argv[2])) {
  const { options, errors } = ts.convertCompilerOptionsFromJson(written, import.meta.dirname)
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (file, settings, ...others) => {
    const key = `${settings.impliedNodeFormat}:${file}`
    const found = declarations.get(key) ?? getSourceFile(file, settings, ...others)
    if (file.endsWith('.d.ts')) declarations.set(key, found)
    return found
  }
  const program = ts.createProgram(files, options, host)
  const findings = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program
      .getSourceFiles()
      .filter(isChecked)
      .flatMap((file) => program.getSemanticDiagnostics(file)),
  ]
  if (findings.length === 0) continue
  isWrong = true
  console.error(JSON.stringify(written), ts.formatDiagnostics(findings, host))
}
process.exitCode = isWrong ? 1 : 0
