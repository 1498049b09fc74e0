/**
 * Modules, kernels and types as objects of Apache TVM, and back.
 *
 * <p>Source: docs/spec/object-system.md, sections 5 and 7.
 */
@NullMarked
package org.relaxvm.compiler.objects;

import org.jspecify.annotations.NullMarked;
