import * as foundation from './0001-foundation.ts'
import * as secondFactor from './0002-second-factor.ts'
import * as privacy from './0003-privacy.ts'
import * as developerActivity from './0004-developer-activity.ts'
import * as invitations from './0005-invitations.ts'
import * as scopes from './0006-scopes.ts'
import * as users from './0007-users.ts'
import * as issuer from './0008-issuer.ts'
import * as live from './0009-live.ts'
import * as appNames from './0010-app-names.ts'
import * as firstSignIn from './0011-first-sign-in.ts'
import * as personal from './0012-personal.ts'
import * as declinedScopes from './0013-declined-scopes.ts'
import * as registration from './0014-registration.ts'
import * as providerModels from './0015-provider-models.ts'
import * as recovery from './0016-recovery.ts'
import * as mailCounts from './0017-mail-counts.ts'
import * as clientProfiles from './0018-client-profiles.ts'
import * as userNames from './0020-user-names.ts'
import * as deviceNames from './0021-device-names.ts'
import * as passkeyOffer from './0022-passkey-offer.ts'
import * as messageSigning from './0030-message-signing.ts'
import * as frontChannel from './0032-front-channel.ts'
import * as pairwiseSubjects from './0033-pairwise-subjects.ts'
import * as clientCertificates from './0034-client-certificates.ts'
import * as ciba from './0036-ciba.ts'
import * as activityMessages from './0037-activity-messages.ts'
import * as resources from './0038-resources.ts'
import * as clientMetadataDocuments from './0039-client-metadata-documents.ts'
import * as tokenExchange from './0040-token-exchange.ts'
import * as tokenIndexes from './0041-token-indexes.ts'
import * as signals from './0044-signals.ts'
import * as operators from './0045-operators.ts'
import * as people from './0046-people.ts'
import * as signInSteps from './0047-sign-in-steps.ts'
import * as branding from './0049-branding.ts'
import * as groups from './0050-groups.ts'
import * as clientAccess from './0051-client-access.ts'
import * as factorResets from './0052-factor-resets.ts'
import * as operatorSettings from './0053-operator-settings.ts'
import * as system from './0054-system.ts'
import * as signInDays from './0055-sign-in-days.ts'
import * as eddsaInUse from './0057-eddsa-in-use.ts'
import * as pictureSources from './0059-picture-sources.ts'
import * as approvals from './0060-approvals.ts'
import * as auditOrganizations from './0063-audit-organizations.ts'
import * as largeLists from './0064-large-lists.ts'
import * as tokenGenerations from './0065-token-generations.ts'
import * as sessionGenerations from './0067-session-generations.ts'
import * as appUsersByName from './0068-app-users-by-name.ts'
import * as endedTokens from './0069-ended-tokens.ts'
import * as roomForChanges from './0070-room-for-changes.ts'
import * as deletedOrganizations from './0071-deleted-organizations.ts'
import * as largeChanges from './0072-large-changes.ts'
import * as tokensWithoutReference from './0073-tokens-without-reference.ts'
import * as endsOfTokenIds from './0074-ends-of-token-ids.ts'
import * as proxyTests from './0075-proxy-tests.ts'
import * as jobTraces from './0076-job-traces.ts'
import * as approvingSessions from './0077-approving-sessions.ts'
import * as connectionsByTime from './0078-connections-by-time.ts'
import * as openedByCode from './0079-opened-by-code.ts'
import * as reauthenticatedAt from './0080-reauthenticated-at.ts'
import * as newBrowsers from './0081-new-browsers.ts'
import * as sessionClients from './0082-session-clients.ts'
import type { Migration } from './migration.ts'

/** Every migration, in the order in which they run. Nothing runs because a file exists (architecture §3.4). */
export const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-second-factor': secondFactor,
  '0003-privacy': privacy,
  '0004-developer-activity': developerActivity,
  '0005-invitations': invitations,
  '0006-scopes': scopes,
  '0007-users': users,
  '0008-issuer': issuer,
  '0009-live': live,
  '0010-app-names': appNames,
  '0011-first-sign-in': firstSignIn,
  '0012-personal': personal,
  '0013-declined-scopes': declinedScopes,
  '0014-registration': registration,
  '0015-provider-models': providerModels,
  '0016-recovery': recovery,
  '0017-mail-counts': mailCounts,
  '0018-client-profiles': clientProfiles,
  '0020-user-names': userNames,
  '0021-device-names': deviceNames,
  '0022-passkey-offer': passkeyOffer,
  '0030-message-signing': messageSigning,
  '0032-front-channel': frontChannel,
  '0033-pairwise-subjects': pairwiseSubjects,
  '0034-client-certificates': clientCertificates,
  '0036-ciba': ciba,
  '0037-activity-messages': activityMessages,
  '0038-resources': resources,
  '0039-client-metadata-documents': clientMetadataDocuments,
  '0040-token-exchange': tokenExchange,
  '0041-token-indexes': tokenIndexes,
  '0044-signals': signals,
  '0045-operators': operators,
  '0046-people': people,
  '0047-sign-in-steps': signInSteps,
  '0049-branding': branding,
  '0050-groups': groups,
  '0051-client-access': clientAccess,
  '0052-factor-resets': factorResets,
  '0053-operator-settings': operatorSettings,
  '0054-system': system,
  '0055-sign-in-days': signInDays,
  '0057-eddsa-in-use': eddsaInUse,
  '0059-picture-sources': pictureSources,
  '0060-approvals': approvals,
  '0063-audit-organizations': auditOrganizations,
  '0064-large-lists': largeLists,
  '0065-token-generations': tokenGenerations,
  '0067-session-generations': sessionGenerations,
  '0068-app-users-by-name': appUsersByName,
  '0069-ended-tokens': endedTokens,
  '0070-room-for-changes': roomForChanges,
  '0071-deleted-organizations': deletedOrganizations,
  '0072-large-changes': largeChanges,
  '0073-tokens-without-reference': tokensWithoutReference,
  '0074-ends-of-token-ids': endsOfTokenIds,
  '0075-proxy-tests': proxyTests,
  '0076-job-traces': jobTraces,
  '0077-approving-sessions': approvingSessions,
  '0078-connections-by-time': connectionsByTime,
  '0079-opened-by-code': openedByCode,
  '0080-reauthenticated-at': reauthenticatedAt,
  '0081-new-browsers': newBrowsers,
  '0082-session-clients': sessionClients,
}
