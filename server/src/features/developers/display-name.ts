import type { User } from '../account/public.ts'

/** Returns the name under which other members see a user: full name, or else user name, or else email address. */
export function displayName(user: Pick<User, 'first_name' | 'last_name' | 'username' | 'email'>): string {
  return [user.first_name, user.last_name].filter(Boolean).join(' ') || user.username || user.email
}
