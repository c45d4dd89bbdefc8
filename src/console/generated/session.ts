// Made from session/session.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type Environment =
  | 'LIVE'
  | 'TEST';

export type Role =
  | 'ADMIN'
  | 'DEVELOPER'
  | 'EVALUATOR'
  | 'SUPPORT'
  | 'VIEWER';

export type SignInInput = {
  email: string;
  password: string;
};

export type SignInToOrganizationInput = {
  organizationId: string;
};

export type SignUp =
  | 'INVITED'
  | 'OPEN';

export type SignUpInput = {
  displayName: string;
  email: string;
  invite?: string | null | undefined;
  password: string;
};

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { role: Role | null, labels: Array<string>, sendsWebhooks: boolean, member: { memberId: string, displayName: string, email: string | null } | null } | null, organization: { organizationId: string, name: string, environment: Environment | null } | null };

export type PersonQueryVariables = Exact<{ [key: string]: never; }>;


export type PersonQuery = { user: { userId: string, email: string | null, displayName: string, createdAt: string, organizations: Array<{ organizationId: string, name: string, environment: Environment | null, role: Role }> } | null };

export type SignInMutationVariables = Exact<{
  input: SignInInput;
}>;


export type SignInMutation = { signIn: { userId: string } | null };

export type SignUpMutationVariables = Exact<{
  input: SignUpInput;
}>;


export type SignUpMutation = { signUp: { userId: string } | null };

export type SignOutMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutMutation = { signOut: string | null };

export type SignInToOrganizationMutationVariables = Exact<{
  input: SignInToOrganizationInput;
}>;


export type SignInToOrganizationMutation = { signInToOrganization: { organizationId: string } | null };

export type ServiceQueryVariables = Exact<{ [key: string]: never; }>;


export type ServiceQuery = { service: { signUp: SignUp, localSignIn: boolean, oidc: { name: string } | null } | null };

export const ViewerDocument = new TypedDocument<ViewerQuery, ViewerQueryVariables>('Viewer', `query Viewer {
  viewer {
    role
    labels
    sendsWebhooks
    member {
      memberId
      displayName
      email
    }
  }
  organization {
    organizationId
    name
    environment
  }
}`)

export const PersonDocument = new TypedDocument<PersonQuery, PersonQueryVariables>('Person', `query Person {
  user {
    userId
    email
    displayName
    createdAt
    organizations {
      organizationId
      name
      environment
      role
    }
  }
}`)

export const SignInDocument = new TypedDocument<SignInMutation, SignInMutationVariables>('SignIn', `mutation SignIn($input: SignInInput!) {
  signIn(input: $input) {
    userId
  }
}`)

export const SignUpDocument = new TypedDocument<SignUpMutation, SignUpMutationVariables>('SignUp', `mutation SignUp($input: SignUpInput!) {
  signUp(input: $input) {
    userId
  }
}`)

export const SignOutDocument = new TypedDocument<SignOutMutation, SignOutMutationVariables>('SignOut', `mutation SignOut {
  signOut
}`)

export const SignInToOrganizationDocument = new TypedDocument<SignInToOrganizationMutation, SignInToOrganizationMutationVariables>('SignInToOrganization', `mutation SignInToOrganization($input: SignInToOrganizationInput!) {
  signInToOrganization(input: $input) {
    organizationId
  }
}`)

export const ServiceDocument = new TypedDocument<ServiceQuery, ServiceQueryVariables>('Service', `query Service {
  service {
    signUp
    oidc {
      name
    }
    localSignIn
  }
}`)
