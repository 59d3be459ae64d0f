import type { PolicyProblem } from '@vrata/contract/problem'

/** What the policy of the installation does not allow; loaded when it occurs. */
export const policy = {
  'problem.registration_closed':
    'New accounts can’t be created with this address here. Ask the people who run this service for an invitation.',
  'problem.limit_reached':
    '{of, select, organizations {You have reached the maximum number of organizations per person ({limit}). Delete one that you no longer need.} clients {This organization has reached the maximum number of apps ({limit}). Delete one that you no longer need.} members {This organization has reached the maximum number of members and invitations ({limit}). Remove one first.} invitations {You have sent the maximum number of invitations for today ({limit}). Try again tomorrow.} other {A limit has been reached. Remove something that you no longer need.}}',
  'problem.sign_in_method_off': 'This way to sign in is turned off. Use another one.',
} as const satisfies Record<`problem.${PolicyProblem}`, string>
