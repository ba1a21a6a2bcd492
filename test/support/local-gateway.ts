/** Providers of presets that call a recording server instead of the vendor's server. */
import type { ChannelName } from '../../backend/src/platform/contract/channels.js';
import { compileGateway, createGateway } from '../../backend/src/providers/http-gateway/gateway.js';
import { gatewaySettings, type GatewayPreset } from '../../backend/src/providers/http-gateway/preset.js';
import type { ProviderContext, ProviderSettings } from '../../backend/src/providers/provider-type.js';
import { providerContext, type GatewayServer } from './gateway-server.js';

export function localGateway(
  { url }: Pick<GatewayServer, 'url'>,
  { definition, fields }: Pick<GatewayPreset, 'definition' | 'fields'>,
  settings: ProviderSettings,
  channel: ChannelName = 'SMS',
  context: Partial<ProviderContext> = {},
) {
  const local = (address: string): string => address.replace(/^https:\/\/[^/]+/, url);
  const { lookUp, check } = definition;
  const compiled = compileGateway({
    ...definition,
    url: local(definition.url),
    ...(lookUp ? { lookUp: { ...lookUp, url: local(lookUp.url) } } : {}),
    ...(check ? { check: { ...check, url: local(check.url) } } : {}),
  });
  const addresses = Object.entries(settings).map(([name, value]) => [name, local(value)] as const);
  const values = gatewaySettings(fields, Object.fromEntries(addresses));
  return createGateway(channel, compiled, values, providerContext(context));
}
