import { type Alias, type ParsedNode, isAlias, isCollection, isMap } from 'yaml';

/**
 * What every alias of a document names: the last anchor of that name before it. One walk over all of it, where the YAML library walks the whole document for each
 * alias: a thousand of them in a megabyte would take minutes.
 */
export const targetsOf = (root: ParsedNode): ReadonlyMap<Alias.Parsed, ParsedNode> => {
  const anchors = new Map<string, ParsedNode>();
  const targets = new Map<Alias.Parsed, ParsedNode>();
  const visit = (node: ParsedNode | null): void => {
    if (!node) return;
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target) targets.set(node, target);
      return;
    }
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (!isCollection(node)) return;
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        visit(key);
        visit(value);
      }
    } else for (const item of node.items) visit(item);
  };
  visit(root);
  return targets;
};
