/**
 * Structural equality and hashing of objects, with the first difference.
 *
 * <p>Source: docs/spec/object-system.md.
 */
@NullMarked
package org.relaxvm.objects.compare;

import org.jspecify.annotations.NullMarked;
