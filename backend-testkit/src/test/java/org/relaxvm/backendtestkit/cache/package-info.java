@NullMarked
package org.relaxvm.backendtestkit.cache;

import org.jspecify.annotations.NullMarked;
