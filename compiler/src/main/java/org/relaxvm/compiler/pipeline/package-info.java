/** The usual lists of passes. Source: docs/spec/passes.md, section 1. */
@NullMarked
package org.relaxvm.compiler.pipeline;

import org.jspecify.annotations.NullMarked;
