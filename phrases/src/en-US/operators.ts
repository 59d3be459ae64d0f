import type { OperatorProblem } from '@vrata/contract/problem'

/** Pages of operators, who run the installation, and the problems of their calls. */
export const operators = {
  'problem.second_factor_required': 'Add a passkey or two-step sign-in to your account first.',
  'problem.last_operator': 'The installation needs an administrator. Make someone else an administrator first.',
  'problem.already_operator': 'This person is already an operator.',
  failed: 'This page could not be loaded',
  failed_text: 'Check your connection, then try again.',
  'setup.title': 'Set up this installation',
  'setup.text':
    'You are about to become the administrator of this installation, as {name} ({email}). Administrators decide who else may run it.',
  'setup.factor': 'First protect your account',
  'setup.factor_text':
    'Whoever runs an installation signs in with a passkey or in two steps. Add one of them, then open the link again.',
  'setup.add_passkey': 'Add a passkey',
  'setup.add_two_factor': 'Turn on two-step sign-in',
  'setup.accept': 'Become the administrator',
  'setup.invalid': 'This link is not valid',
  'setup.invalid_text':
    'It has expired, or the installation has an administrator already. While it has none, the server prints a new link each time it starts.',
  'setup.loading': 'Checking the link',
  'setup.done': 'You are the administrator of this installation',
  'setup.done_text': 'Your role counts from now on.',
  'setup.continue': 'Continue',
} as const satisfies Record<`problem.${OperatorProblem}`, string> & Record<string, string>
