/**
 * JSON graphs: objects as text, shared references kept.
 *
 * <p>Source: docs/spec/object-system.md.
 */
@NullMarked
package org.relaxvm.objects.graph;

import org.jspecify.annotations.NullMarked;
