import type { policy as english } from '../en-US/policy.ts'

export const policy: Record<keyof typeof english, string> = {
  'problem.registration_closed':
    'S tem naslovom tukaj ni mogoče ustvariti računa. Za povabilo prosite upravitelje te storitve.',
  'problem.limit_reached':
    '{of, select, organizations {Dosegli ste največje število organizacij na osebo ({limit}). Izbrišite tisto, ki je ne potrebujete več.} clients {Organizacija je dosegla največje število aplikacij ({limit}). Izbrišite tisto, ki je ne potrebujete več.} members {Organizacija je dosegla največje število članov in povabil ({limit}). Najprej koga odstranite.} invitations {Poslali ste največje dovoljeno število povabil na dan ({limit}). Poskusite znova jutri.} other {Dosežena je omejitev. Odstranite nekaj, česar ne potrebujete več.}}',
  'problem.sign_in_method_off': 'Ta način prijave je izklopljen. Uporabite drugega.',
}
