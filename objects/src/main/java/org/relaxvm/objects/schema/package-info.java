/**
 * The types of Apache TVM, by release.
 *
 * <p>Source: docs/spec/object-system.md.
 */
@NullMarked
package org.relaxvm.objects.schema;

import org.jspecify.annotations.NullMarked;
