/**
 * Objects of one release of Apache TVM as objects of another. Only nodes are known here, no IR.
 *
 * <p>Source: docs/spec/object-system.md, section 5.2.
 */
@NullMarked
package org.relaxvm.objects.release;

import org.jspecify.annotations.NullMarked;
