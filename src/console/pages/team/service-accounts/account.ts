import type { Answer } from '../../../api/typed-document.ts'
import type { ServiceAccountQuery } from '../../../generated/team.ts'

export type Account = Answer<ServiceAccountQuery>['serviceAccount']
