// Made from pages/organizations/organizations.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type CreateOrganizationInput = {
  name: string;
};

export type Role =
  | 'ADMIN'
  | 'DEVELOPER'
  | 'EVALUATOR'
  | 'SUPPORT'
  | 'VIEWER';

export type CreateOrganizationMutationVariables = Exact<{
  input: CreateOrganizationInput;
}>;


export type CreateOrganizationMutation = { createOrganization: { organizationId: string, name: string, role: Role } | null };

export const CreateOrganizationDocument = new TypedDocument<CreateOrganizationMutation, CreateOrganizationMutationVariables>('CreateOrganization', `mutation CreateOrganization($input: CreateOrganizationInput!) {
  createOrganization(input: $input) {
    organizationId
    name
    role
  }
}`)
