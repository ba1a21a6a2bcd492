/** deploy/kubernetes: selectors, settings, probes, privileges and the time to stop, as they are in the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { STOP_SECONDS } from '../../backend/src/platform/clock.js';
import { SETTINGS } from '../../backend/src/platform/config/config.js';
import type { Body } from '../support/service.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'deploy/kubernetes');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
const documents: Body[] = files.flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => {
    expect([file, document.errors]).toEqual([file, []]);
    return document.toJS();
  }),
);
const ofKind = (kind: string): Body[] => documents.filter((document) => document.kind === kind);
const deployments = ofKind('Deployment');
const pods: Body[] = [...deployments, ...ofKind('Job'), ...ofKind('StatefulSet')].map(({ spec }) => spec.template);
const ownPods = pods.filter(({ metadata }) => metadata.labels.app === 'passbell');
const containerOf = (deployment: Body) => deployment.spec.template.spec.containers[0];

const matches = (selector: Record<string, string>): boolean =>
  pods.some(({ metadata }) => Object.entries(selector).every(([name, value]) => metadata.labels[name] === value));

it('runs the API, workers and the migration', () => {
  expect(ownPods.map(({ metadata }) => metadata.labels.role).sort()).toEqual(['api', 'migrate', 'worker']);
});

it('each file is part of a kustomization', () => {
  for (const file of files.filter((name) => !name.endsWith('kustomization.yaml'))) {
    const [part, name] = file.split('/');
    expect(read(`deploy/kubernetes/${part}/kustomization.yaml`)).toContain(name);
  }
});

it('each selector matches a pod', () => {
  const selectors = [
    ...ofKind('Service').map(({ spec }) => spec.selector),
    ...ofKind('PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels),
    ...ofKind('NetworkPolicy').map(({ spec }) => spec.podSelector.matchLabels),
  ];
  expect(selectors.filter((selector) => !matches(selector))).toEqual([]);
  for (const { spec } of [...deployments, ...ofKind('StatefulSet')])
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
});

it('each deployment has a disruption budget and an autoscaler', () => {
  const names = deployments.map(({ metadata }) => metadata.name);
  expect(ofKind('PodDisruptionBudget').map(({ metadata }) => metadata.name)).toEqual(names);
  expect(ofKind('HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef.name)).toEqual(names);
  const [metric] = ofKind('HorizontalPodAutoscaler').find(({ metadata }) => metadata.name.endsWith('worker')).spec
    .metrics;
  expect(read('backend/src/platform/metrics.ts')).toContain(`'${metric.external.metric.name}'`);
});

it('sets only known settings', () => {
  const [{ configMapGenerator }] = ofKind('Kustomization').filter((document) => document.configMapGenerator);
  const literals: string[] = configMapGenerator[0].literals.map((literal: string) => literal.split('=')[0]);
  const names = deployments.flatMap((deployment) => containerOf(deployment).env.map(({ name }: Body) => name));
  expect([...literals, ...names].filter((name) => !(name in SETTINGS) && name !== 'PASSBELL_COMMAND')).toEqual([]);
});

it.each(deployments.map((deployment): [string, Body] => [deployment.metadata.name, deployment]))(
  '%s has probes that exist, and time to stop',
  (_name, deployment) => {
    const { startupProbe, livenessProbe, readinessProbe, lifecycle, ports } = containerOf(deployment);
    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
      '/health/live',
      '/health/live',
      '/health/ready',
    ]);
    for (const { httpGet } of [livenessProbe, readinessProbe]) {
      expect(httpGet.port).toBe(ports[0].name);
      expect(read('backend/src/platform/http/health-routes.ts')).toContain(`'${httpGet.path}'`);
    }
    const pause = Number(lifecycle.preStop.exec.command[1]);
    expect(deployment.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(STOP_SECONDS + pause);
  },
);

it('our pods have minimal privileges', () => {
  for (const { spec } of ownPods) {
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  }
});

it('uses the versions of docker-compose.yml', () => {
  const images = ofKind('StatefulSet').map((each) => containerOf(each).image);
  for (const image of images) expect(read('docker-compose.yml')).toContain(`image: ${image}\n`);
});
