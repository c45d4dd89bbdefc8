import { findNode, runWithNode } from './newer-node.ts'

/*
 * Imported first by the programs of a release: under an older Node, the program's own files would fail to load without a
 * sentence that says why.
 */

const node = findNode()
if (node !== process.execPath) await runWithNode(node, [...process.execArgv, ...process.argv.slice(1)])
