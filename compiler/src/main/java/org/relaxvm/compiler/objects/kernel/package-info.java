/**
 * Kernels and scalar expressions as objects of Apache TVM 0.26, and back.
 *
 * <p>Source: docs/spec/object-system.md, section 5.1.
 */
@NullMarked
package org.relaxvm.compiler.objects.kernel;

import org.jspecify.annotations.NullMarked;
