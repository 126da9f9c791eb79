// Puts summary.md into one comment of the pull request, and into the same one every time after. Where that is not allowed, it says so and fails nothing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { charactersOf, fitting } from './fitting.mjs';
import { notice } from './notice.mjs';

const { env } = process;
/** What GitHub takes. */
const mostCharacters = 65_536;
const pageSize = 100;

/** One comment for each job, folder and shard. Hashed: a name could end the marker. */
const marker = () => `<!-- faultreel ${createHash('sha256').update(JSON.stringify([env.GITHUB_WORKFLOW, env.GITHUB_JOB, env.FAULTREEL_FOLDER, env.FAULTREEL_SHARD])).digest('hex').slice(0, 16)} -->`;

const pullRequest = () => {
  const event = env.GITHUB_EVENT_PATH && existsSync(env.GITHUB_EVENT_PATH) ? JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8')) : {};
  return event.pull_request?.number ?? null;
};

const gh = (words, input) => {
  const host = new URL(env.GITHUB_SERVER_URL || 'https://github.com').hostname;
  const { status, stdout, stderr, error } = spawnSync('gh', ['api', ...words], { encoding: 'utf8', maxBuffer: 2 ** 28, input, env: { ...env, GH_HOST: host, GH_ENTERPRISE_TOKEN: env.GH_TOKEN, GH_PROMPT_DISABLED: '1' } });
  if (error) throw new Error(error.code === 'ENOENT' ? 'the program gh is not on this machine' : error.message);
  if (status !== 0) throw new Error((stderr.trim() || stdout.trim() || `gh ended with ${status}`).split('\n')[0]);
  return stdout;
};

const tameLogin = (login) => (login ?? '').replace(/\[bot\]$/, '');

/** Anyone may write a marker into a comment: only one's own is taken for one's own. */
const ownComment = (comments, mark) => {
  const me = JSON.parse(gh(['graphql', '-f', 'query={ viewer { login } }'])).data.viewer.login;
  for (let page = 1; ; page += 1) {
    const some = JSON.parse(gh([`${comments}?per_page=${pageSize}&page=${page}`]));
    const own = some.find(({ body, user }) => body?.startsWith(mark) && tameLogin(user?.login) === tameLogin(me));
    if (own || some.length < pageSize) return own ?? null;
  }
};

const bodyOf = (mark) => {
  const page = `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`;
  const shard = env.FAULTREEL_SHARD ? ` · shard ${env.FAULTREEL_SHARD}` : '';
  const head = `${mark}\n`;
  const foot = `\n[Films, reports and the whole log](${page})${shard}\n`;
  const summary = readFileSync(path.join(env.FAULTREEL_OUT || 'out/faultreel', 'summary.md'), 'utf8');
  return `${head}${fitting(summary, mostCharacters - head.length - foot.length, charactersOf, 'The rest did not fit into a comment; the page of the run has it.')}${foot}`;
};

const comment = (number) => {
  const mark = marker();
  const repository = `repos/${env.GITHUB_REPOSITORY}`;
  const comments = `${repository}/issues/${number}/comments`;
  const own = ownComment(comments, mark);
  const words = own ? ['--method', 'PATCH', `${repository}/issues/comments/${own.id}`] : ['--method', 'POST', comments];
  gh([...words, '--input', '-'], JSON.stringify({ body: bodyOf(mark) }));
  process.stderr.write(`faultreel: the comment on pull request ${number} was ${own ? 'updated' : 'written'}\n`);
};

const number = pullRequest();
if (env.FAULTREEL_COMMENT !== 'true' || number === null) process.stderr.write('faultreel: no comment: there is no pull request, or none is wanted\n');
else {
  try {
    comment(number);
  } catch (error) {
    notice(`the pull request has no comment: ${error.message} (the job needs permissions: pull-requests: write; of a fork it has none)`, 'warning');
  }
}
