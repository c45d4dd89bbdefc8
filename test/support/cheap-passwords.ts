import { passwordCost } from '../../src/access/password.ts'

// A hash takes 30 ms of a core, and the tests make hundreds. Started processes have the real cost.
Object.assign(passwordCost, { memory: 64, passes: 1 })
