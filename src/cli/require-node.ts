import { findNode, runWithNode } from './newer-node.ts'

/*
 * The programs of a release import this first: under an older Node, the program's own files would fail to load without an
 * explanation.
 */

const node = findNode()
if (node !== process.execPath) await runWithNode(node, [...process.execArgv, ...process.argv.slice(1)])
