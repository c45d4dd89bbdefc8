import type { Scenario } from './scenario.ts'
import { databaseFaults } from './scenarios/database.ts'
import { networkFaults } from './scenarios/network.ts'
import { processFaults } from './scenarios/processes.ts'

export const scenarios: readonly Scenario[] = [...processFaults, ...networkFaults, ...databaseFaults]
