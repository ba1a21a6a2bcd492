/**
 * Runs n8n's community package scanner on the source, and on the packed package in the given folder. Prints the
 * findings, including warnings, as JSON.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { built, toolbox } from './setup.mjs';

const scanner = join(toolbox, 'node_modules/@n8n/scan-community-package/scanner/scanner.mjs');
const { analyzePackage, buildScanConfig, SOURCE_FILE_PATTERNS } = await import(pathToFileURL(scanner));
const { ESLint } = createRequire(scanner)('eslint');

/** `analyzePackage` reports errors only, so ESLint runs once more for warnings. */
async function findings(folder, patterns) {
  const { passed, message, details } = await analyzePackage(folder, patterns);
  const options = { cwd: folder, allowInlineConfig: false, overrideConfigFile: true };
  const eslint = new ESLint({ ...options, overrideConfig: await buildScanConfig() });
  const results = await eslint.lintFiles(patterns.map((pattern) => join(folder, pattern)));
  const found = results.flatMap(({ filePath, messages }) =>
    messages.map(
      ({ ruleId, line, message: text }) => `${filePath.slice(folder.length + 1)}:${line} ${ruleId}: ${text}`,
    ),
  );
  return passed ? found : [...found, details ?? message];
}

const [packed] = process.argv.slice(2);
const source = await findings(built, SOURCE_FILE_PATTERNS);
const shipped = await findings(packed, ['**/*.js', 'package.json']);
process.stdout.write(JSON.stringify({ source, packed: shipped }));
