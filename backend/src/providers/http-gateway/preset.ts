/** A preset describes a vendor's API as data, and is converted to a provider type. */
import type { ChannelName } from '../../platform/contract/channels.js';
import type {
  CredentialsCheck,
  ProviderContext,
  ProviderField,
  ProviderSettings,
  ProviderType,
} from '../provider-type.js';
import { problemOf } from '../provider-type.js';
import { optional, required } from '../provider-field.js';
import type { GatewayDefinition } from './definition.js';
import { compileGateway, createGateway, type GatewaySettings } from './gateway.js';
import { compileInbound } from './reports.js';
import { parseTemplateIds } from './lines.js';
import { BaseUrl } from './templates.js';

export interface GatewayPreset extends Pick<
  ProviderType,
  'name' | 'title' | 'description' | 'fields' | 'reportsHelp' | 'repliesHelp'
> {
  /** The vendor's documentation that the preset follows, and the date on which it was read. */
  readonly documentation: string;
  readonly checked: string;
  readonly channel?: ChannelName;
  readonly countries?: readonly string[];
  readonly definition: GatewayDefinition;
}

const TEMPLATES: ProviderField = {
  ...required(
    'templates',
    'Templates',
    'One per line, such as otp = ID or order_shipped = ID. With a language: otp.de = ID.',
  ),
  kind: 'multiline',
  problem: (value) => problemOf(() => parseTemplateIds(value)),
};
export const PER_PROCESS =
  'If Passbell runs as several processes, the limit applies to each. Leave it empty for no limit.';
const PER_SECOND: ProviderField = {
  ...optional('perSecond', 'Messages per second'),
  kind: 'number',
  advanced: true,
  help: PER_PROCESS,
};

/** Returns the settings as values for templates. */
export function gatewaySettings(fields: readonly ProviderField[], settings: ProviderSettings): GatewaySettings {
  const values = fields.map(({ name, kind }) => {
    const value = settings[name] ?? '';
    return [name, kind === 'url' ? new BaseUrl(value.replace(/(?<!\/)\/+$/, '')) : value] as const;
  });
  return {
    values: Object.fromEntries(values),
    secretNames: fields.filter((field) => field.secret).map(({ name }) => name),
    templateIds: parseTemplateIds(settings.templates ?? ''),
  };
}

export const positiveNumber = (value: string | undefined): number | undefined =>
  Number(value) > 0 ? Number(value) : undefined;

export function gatewayType(preset: GatewayPreset): ProviderType {
  const { name, title, description, documentation, channel = 'SMS', countries, reportsHelp, repliesHelp } = preset;
  const needsTemplate = preset.definition.needsTemplate === true;
  const fields = [...preset.fields, ...(needsTemplate ? [TEMPLATES] : []), PER_SECOND];
  const compiled = compileGateway(preset.definition, documentation);
  const { readReports, lookUp } = compiled;
  const { inbound } = preset.definition;
  const readInbound = inbound && compileInbound(inbound, channel);

  function gateway(settings: ProviderSettings, context: ProviderContext) {
    const perSecond = positiveNumber(settings.perSecond);
    const definition = perSecond === undefined ? preset.definition : { ...preset.definition, perSecond };
    return createGateway(channel, { ...compiled, definition }, gatewaySettings(fields, settings), context);
  }

  async function checkCredentials(settings: ProviderSettings, context: ProviderContext): Promise<CredentialsCheck> {
    const { check, provider } = gateway(settings, context);
    try {
      return await check();
    } finally {
      provider.close?.();
    }
  }

  return {
    name,
    title,
    description,
    fields,
    helpUrl: documentation,
    ...(reportsHelp === undefined ? {} : { reportsHelp }),
    ...(repliesHelp === undefined ? {} : { repliesHelp }),
    channels: [channel],
    capabilities: {
      deliveryReports: readReports !== undefined,
      automaticReports: JSON.stringify(preset.definition).includes('callbackUrl'),
      lookUp: lookUp !== undefined,
      ...(readInbound ? { inbound: true } : {}),
      ...(countries ? { countries } : {}),
    },
    create: (settings, context) => [gateway(settings, context).provider],
    ...(preset.definition.check ? { check: checkCredentials } : {}),
    dryRun: (settings, context, message) => gateway(settings, context).dryRun(message),
    ...(readReports || readInbound
      ? {
          receive: (request) =>
            readInbound && request.path === 'inbound'
              ? { reports: [], inbound: readInbound(request), status: 200 }
              : { reports: readReports?.(request) ?? [] },
        }
      : {}),
  };
}
