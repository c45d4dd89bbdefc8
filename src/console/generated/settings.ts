// Made from pages/settings/settings.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type Environment =
  | 'LIVE'
  | 'TEST';

export type UpdateOrganizationInput = {
  environment?: Environment | null | undefined;
  name?: string | null | undefined;
};

export type SettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type SettingsQuery = { organization: { organizationId: string, name: string, environment: Environment | null, createdAt: string } | null };

export type UpdateOrganizationMutationVariables = Exact<{
  input: UpdateOrganizationInput;
}>;


export type UpdateOrganizationMutation = { updateOrganization: { name: string, environment: Environment | null } | null };

export const SettingsDocument = new TypedDocument<SettingsQuery, SettingsQueryVariables>('Settings', `query Settings {
  organization {
    organizationId
    name
    environment
    createdAt
  }
}`)

export const UpdateOrganizationDocument = new TypedDocument<UpdateOrganizationMutation, UpdateOrganizationMutationVariables>('UpdateOrganization', `mutation UpdateOrganization($input: UpdateOrganizationInput!) {
  updateOrganization(input: $input) {
    name
    environment
  }
}`)
