import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'
import * as branding from './branding.ts'
import { groupKey, createGroup as newGroup } from './groups.ts'
import * as policy from './policy.ts'

/** Version of the format of the document. A format that older versions cannot read has the next number. */
export const FORMAT = 1

/** Names of the pictures of the branding. */
export const PICTURES = ['logo', 'logo_dark', 'icon'] as const

/** A picture as data (RFC 2397), or null for none. */
const picture = z
  .string()
  .max(LIMITS.document_bytes)
  .regex(/^data:image\/[a-z]{1,10};base64,(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'invalid')
  .nullable()
  .optional()
const pictures = { logo: picture, logo_dark: picture, icon: picture }

const { name, description } = newGroup.body.shape

/** The settings of the installation as one document: the same fields as those of the calls of each part. */
export const configuration = z.object({
  version: z.literal(FORMAT),
  policy: policy.policy,
  branding: branding.branding.omit({ accent_colors: true }).extend(pictures),
  /** By key. */
  groups: z.array(
    z.object({
      key: groupKey,
      name: z.string(),
      description: z.string(),
      /** Addresses of the members, where they were asked for. */
      members: z.array(z.string()).optional(),
    }),
  ),
})
export type Configuration = z.output<typeof configuration>

const value = z.union([z.string(), z.number(), z.boolean(), z.null()])

/**
 * A setting that differs, by its path in the document, with groups by their keys: `policy.limits.clients_per_organization`,
 * `groups.staff.name`. `from` is null for what is new, `to` for what goes. Each member who is added or removed is one change; pictures
 * are described by their type and size.
 */
export const change = z.object({
  path: z.string(),
  from: z.union([value, z.array(z.string())]),
  to: z.union([value, z.array(z.string())]),
})
export type Change = z.output<typeof change>

export const getConfiguration = route('GET', '/admin/config', {
  summary:
    'Get policy, branding and groups as one document, as JSON or, by `Accept`, as YAML. Groups have their members only with `members=true`.',
  needs: 'operator:auditor',
  document: true,
  query: z.object({ members: f.flag.optional() }),
  data: configuration,
})

export const updateConfiguration = route('PUT', '/admin/config', {
  summary:
    'Apply a document, as JSON or YAML: all of it or nothing. What it does not name stays, also groups; `members` names all members of a group. `dry_run=true` changes nothing and answers what would change.',
  needs: 'operator:admin',
  fresh: true,
  document: true,
  query: z.object({ dry_run: f.flag.optional() }),
  body: z.object({
    version: z.literal(FORMAT).optional(),
    policy: policy.updatePolicy.body.strict().optional(),
    branding: branding.updateBranding.body.extend(pictures).strict().optional(),
    groups: z
      .array(
        z.strictObject({
          key: groupKey,
          /** Required of a new group. */
          name: name.optional(),
          description,
          /** Addresses of accounts that have confirmed them. */
          members: z.array(f.email).optional(),
        }),
      )
      .max(LIMITS.groups)
      .superRefine((groups, ctx) => {
        const keys = groups.map(({ key }) => key)
        keys.forEach((key, at) => {
          if (keys.indexOf(key) < at) ctx.addIssue({ code: 'custom', message: 'taken', path: [at, 'key'], input: key })
        })
      })
      .optional(),
  }),
  data: z.object({
    changes: z.array(change),
    /** Of a dry run that changes how people sign in: as `GET /admin/policy/affected` counts. */
    affected: policy.countAffected.data.optional(),
  }),
  problems: ['last_operator', 'limit_reached', 'unsupported_media_type', 'group_exists'],
})
export type ConfigurationChanges = z.output<typeof updateConfiguration.data>
