/**
 * From operators to few kernels: operators become calls of kernels, neighbours become groups,
 * groups become one kernel each, and kernels that only give an array another shape become views.
 *
 * <p>Source: docs/spec/passes.md, sections 2 to 7.
 */
@NullMarked
package org.relaxvm.compiler.pass.fuse;

import org.jspecify.annotations.NullMarked;
