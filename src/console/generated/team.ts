// Made from pages/team/team.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type MemberStatus =
  | 'ACTIVE'
  | 'DISABLED';

export type Role =
  | 'ADMIN'
  | 'DEVELOPER'
  | 'EVALUATOR'
  | 'SUPPORT'
  | 'VIEWER';

export type TeamQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type TeamQuery = { members: { nodes: Array<{ memberId: string, displayName: string, email: string | null, role: Role, status: MemberStatus, serviceAccountId: string | null, createdAt: string }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export const TeamDocument = new TypedDocument<TeamQuery, TeamQueryVariables>('Team', `query Team($after: String) {
  members(first: 100, after: $after) {
    nodes {
      memberId
      displayName
      email
      role
      status
      serviceAccountId
      createdAt
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}`)
